import { catalogue } from '../catalogue.js';
import { exampleOf, SAMPLE } from './example.js';

const { audit, access, platform } = catalogue;

export const administrationExamples = [
  exampleOf(audit.listAuditEvents, { type: 'decision.appended', limit: 20 }),
  exampleOf(audit.verifyAuditChain, {}),
  exampleOf(access.whoAmI, {}),
  exampleOf(access.issueCredential, { actor: 'ci', preset: 'measurer' }, { [SAMPLE.credential]: 'credential.id' }),
  exampleOf(access.rotateCredential, { credential_id: SAMPLE.credential, overlap_minutes: 60 }),
  exampleOf(access.revokeCredential, { credential_id: SAMPLE.credential, reason: 'The pipeline is gone.' }),
  exampleOf(access.listCredentials, { include_revoked: true }),
  exampleOf(access.inviteMember, { email: 'ada@example.com', role: 'admin' }, { [SAMPLE.member]: 'member.id' }),
  exampleOf(access.changeMemberRole, { member_id: SAMPLE.member, role: 'viewer' }),
  exampleOf(access.removeMember, { member_id: SAMPLE.member, reason: 'Left the team.' }),
  exampleOf(access.listMembers, {}),
  exampleOf(platform.createWorkspace, { name: 'Acme', slug: 'acme' }),
  exampleOf(platform.listWorkspaces, { search: 'acme' }),
  exampleOf(platform.suspendWorkspace, { workspace: 'acme', reason: 'Unpaid since September.' }),
  exampleOf(platform.resumeWorkspace, { workspace: 'acme', reason: 'Paid.' }),
  exampleOf(platform.setWorkspaceQuota, { workspace: 'acme', requests_per_minute: 600, build_sessions: 10_000 }),
  exampleOf(platform.exportWorkspace, {
    workspace: 'acme',
    encrypt_to: 'age1gt7gqx0tp3mcn984mqfm3hpvw62j979hvyp0jj3fsxjak34fncvs9cda4y',
  }),
  exampleOf(platform.deleteWorkspace, { workspace: 'acme', reason: 'Contract ended.', grace_days: 30 }),
];
