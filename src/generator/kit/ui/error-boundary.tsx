import { Component, type ReactNode } from "react";
import { Failure } from "./states.tsx";
import { apiErrorOf } from "./use-load.ts";

interface ErrorBoundaryProps {
  children: ReactNode;
  /** Instead of the failure and a way to try again. */
  fallback?: ReactNode;
}

interface ErrorBoundaryState {
  error?: unknown;
}

/** A screen that fails is shown as failed; the frame around it goes on working. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = {};

  static getDerivedStateFromError(error: unknown): ErrorBoundaryState {
    return { error };
  }

  override render() {
    if (this.state.error === undefined) return this.props.children;
    if (this.props.fallback !== undefined) return this.props.fallback;
    return (
      <Failure
        error={apiErrorOf(this.state.error)}
        onRetry={() => this.setState({ error: undefined })}
      />
    );
  }
}
