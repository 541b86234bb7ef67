/**
 * The version of the renderer: moves with every change to the bytes a model is sent for the same state, so that a
 * request that can no longer be rendered byte by byte says why. The golden files show when that is.
 */
export const RENDERER_VERSION = 1;
