import { catalogue } from '../catalogue.js';
import { exampleOf } from './example.js';

const { audit, access, platform } = catalogue;

export const administrationExamples = [
  exampleOf(audit.listAuditEvents, { type: 'decision.appended', limit: 20 }),
  exampleOf(audit.verifyAuditChain, {}),
  exampleOf(access.whoAmI, {}),
  exampleOf(access.issueCredential, { actor: 'ci', preset: 'measurer' }),
  exampleOf(platform.createWorkspace, { name: 'Acme', slug: 'acme' }),
];
