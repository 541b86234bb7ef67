/** A link within the app: a real address that can be copied and opened elsewhere, without a page load. */
import type { AnchorHTMLAttributes, MouseEvent } from "react";
import { navigate } from "./location.ts";
import { formatRoute, type Route } from "./route.ts";

export interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href"> {
  readonly to: Route;
}

export function Link({ to, onClick, ...rest }: LinkProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (event.defaultPrevented || !isPlain) return;
    event.preventDefault();
    navigate(to);
  };
  return <a {...rest} href={formatRoute(to)} onClick={follow} />;
}
