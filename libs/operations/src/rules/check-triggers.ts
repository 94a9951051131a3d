import { DomainError } from '@perdure/contracts';
import { describeProblem, type TriggerProblem, type Triggers, validateTriggers } from '@perdure/rule-match';

/** @throws DomainError `invalid_glob`, `invalid_code_pattern`, `invalid_input`, naming every trigger that cannot work */
export function refuseBadTriggers(triggers: Triggers, always: boolean): void {
  refuseProblems(validateTriggers(triggers, always), 'triggers.');
}

/** @throws DomainError with the code of the first problem; all of them stand in details.fields */
export function refuseProblems(problems: readonly TriggerProblem[], prefix = ''): void {
  const [first] = problems;
  if (first === undefined) return;
  const fields = problems.slice(0, 20).map(({ path, message, position }) => ({
    path: `${prefix}${path}`,
    message,
    ...(position === undefined ? {} : { position }),
  }));
  const message = problems.slice(0, 5).map(describeProblem).join('; ');
  const position = first.position === undefined ? {} : { position: first.position };
  throw new DomainError(first.code, `Invalid input. ${message}`, { fields, ...position });
}
