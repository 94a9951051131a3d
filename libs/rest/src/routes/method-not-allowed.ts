import { DomainError } from '@perdure/contracts';

/** HTTP knows a status for this that is no kind of ours: the code is that of its nearest kind, the status HTTP's own. */
export class MethodNotAllowed extends DomainError {
  constructor(allowed: string) {
    super('unsupported', `This address takes ${allowed} only.`, { allow: allowed }, 'Use one of the named methods.');
  }

  override get status(): number {
    return 405;
  }
}
