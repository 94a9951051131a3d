import { DomainError } from '@perdure/contracts';

interface FieldProblem {
  readonly path: string;
  readonly message: string;
}

/** A refusal in the words and the shape in which the dispatcher names arguments; this side names the first 20 as well. */
export function invalidFields(problems: readonly FieldProblem[]): DomainError {
  const fields = problems.slice(0, 20);
  const sentences = fields.map(({ path, message }) => (path === '' ? `the input ${message}` : `${path}: ${message}`));
  return new DomainError('invalid_input', `Invalid input. ${sentences.join('; ')}`, { fields });
}
