import type { ProviderModule } from './load-provider.js';

/**
 * One question, always asked: may this program act for you? A program on somebody's machine cannot prove who it is
 * (RFC 8252 section 8.6), so an earlier yes is not a standing one. `login` and `select_account` may be asked for and
 * are part of the same page.
 */
export function interactionPolicy({ interactionPolicy: { base, Check, Prompt } }: ProviderModule) {
  const policy = base();
  policy.clear();
  const approval = new Check('approval', 'a person must approve this program', 'consent_required', (ctx) =>
    ctx.oidc.result?.consent === undefined ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
  );
  policy.add(new Prompt({ name: 'login', requestable: true }));
  policy.add(new Prompt({ name: 'select_account', requestable: true }));
  policy.add(new Prompt({ name: 'consent', requestable: true }, approval));
  return policy;
}
