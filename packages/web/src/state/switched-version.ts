/** Where the user switched to another version of a turn, so that the turn and its buttons stay at this place. */

export interface Switch {
  /** The conversation with the other version. */
  readonly to: string;
  /** Number of the turn. */
  readonly n: number;
  /** Distance of the question from the top of the list, in pixels. */
  readonly top: number;
  /** Name of the button that was used. */
  readonly button: string;
}

let place: Switch | null = null;
let focus: Switch | null = null;

export function noteSwitch(made: Switch): void {
  place = made;
  focus = made;
}

/** The switch that opened a conversation, until the page has scrolled to its place. */
export function switchTo(conversationId: string): Switch | null {
  return place?.to === conversationId ? place : null;
}

export function reachedSwitch(): void {
  place = null;
}

/** The name of the button of a turn that gets the focus, once; null for none. */
export function takeFocus(conversationId: string, n: number): string | null {
  if (focus?.to !== conversationId || focus.n !== n) return null;
  const { button } = focus;
  focus = null;
  return button;
}
