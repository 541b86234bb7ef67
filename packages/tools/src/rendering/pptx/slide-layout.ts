/** Positions on a slide of 13.33 by 7.5 inches, and letter sizes in points. */
export const SLIDE = { w: 13.333, h: 7.5 } as const;
export const TITLE = { x: 0.62, y: 0.42, w: 12.1, h: 0.75 } as const;
export const BODY = { x: 0.62, y: 1.42, w: 12.1, h: 5.35 } as const;
export const FOOTER_Y = 7.03;

export const SIZE = { title: 30, subheading: 21, body: 19, table: 15, code: 13, small: 13 } as const;
