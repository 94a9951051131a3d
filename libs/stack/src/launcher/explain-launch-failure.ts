import { PortInUseError } from '../network/ports.js';

/** How the user started the stack. */
export interface LaunchCommand {
  readonly portBase: number;
  /** The same command for other ports. */
  readonly commandFor: (portBase: number) => string;
}

/** Far enough for a stack beside this one. */
const NEXT_STACK = 100;

/** Why a launch failed, for a terminal; a taken port with the command that avoids it. */
export function explainLaunchFailure(error: unknown, { portBase, commandFor }: LaunchCommand): string {
  // Not `instanceof Error`: jest runs tests in a realm of its own.
  const message = error instanceof Object && 'message' in error ? String(error.message) : String(error);
  if (!(error instanceof PortInUseError)) return message;
  const elsewhere = portBase + (portBase > 65_000 ? -NEXT_STACK : NEXT_STACK);
  return `${message}\nEnd what listens there, or move every port, for example: ${commandFor(elsewhere)}`;
}
