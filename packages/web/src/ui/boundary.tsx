/** Catches errors of a component, so that the rest of the page stays usable. */
import { Component, type ReactNode } from "react";

export interface BoundaryProps {
  readonly fallback: ReactNode;
  readonly children: ReactNode;
}

export class Boundary extends Component<BoundaryProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}
