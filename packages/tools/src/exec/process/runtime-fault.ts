/** Why a program was stopped, or could not run. */
type FaultCode =
  | "execution_failed"
  | "timeout"
  | "memory_limit"
  | "disk_limit"
  | "output_limit"
  | "sandbox_failed"
  | "sandbox_unavailable";

export interface RuntimeFault {
  readonly code: FaultCode;
  /** The reason, on one line. */
  readonly message: string;
}
