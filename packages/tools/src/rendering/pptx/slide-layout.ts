/** Where things stand on a slide, in inches of a page of 13.33 by 7.5, and how large letters are, in points. */
export const SLIDE = { w: 13.333, h: 7.5 } as const;
export const TITLE = { x: 0.62, y: 0.42, w: 12.1, h: 0.75 } as const;
export const BODY = { x: 0.62, y: 1.42, w: 12.1, h: 5.35 } as const;
export const FOOTER_Y = 7.03;

export const SIZE = { title: 28, subheading: 19, body: 17, table: 13, code: 12, small: 12 } as const;
