/** What an event is about. A mutable subject gets a transition row per event, an append-only one carries its event id. */
export type SubjectType =
  | 'workspace'
  | 'project'
  | 'build_session'
  | 'decision'
  | 'backlog_item'
  | 'rule'
  | 'loop'
  | 'credential'
  | 'member'
  | 'audit_event';

interface EventType {
  readonly audited: boolean;
  readonly subject: SubjectType;
  readonly summary: string;
  /**
   * What holds the event's id beside the chain: the append-only row that it records, or a transition row when it
   * changes something that exists (DESIGN §6). Absent on unaudited types.
   */
  readonly heldBy?: 'row' | 'transition';
  /** Who writes it, when no operation's success does. */
  readonly beyondOperations?: string;
}

/** The one catalogue of event types (A1). Unaudited ones stand here too, so that leaving them out is a decision. */
export const EVENT_TYPES = {
  'workspace.created': {
    audited: true,
    subject: 'workspace',
    heldBy: 'transition',
    summary: 'A workspace was created.',
  },
  'workspace.suspended': {
    audited: true,
    subject: 'workspace',
    heldBy: 'transition',
    summary: 'A workspace was suspended: it can be read, not written.',
  },
  'workspace.resumed': {
    audited: true,
    subject: 'workspace',
    heldBy: 'transition',
    summary: 'A workspace can be written again; a deletion that was scheduled is off.',
  },
  'workspace.quota_set': {
    audited: true,
    subject: 'workspace',
    heldBy: 'transition',
    summary: 'The quota of a workspace was set.',
  },
  'workspace.exported': {
    audited: true,
    subject: 'workspace',
    heldBy: 'transition',
    summary: 'A workspace was exported whole, encrypted to a key of its tenant.',
  },
  'workspace.deletion_scheduled': {
    audited: true,
    subject: 'workspace',
    heldBy: 'transition',
    summary: 'A workspace is to be deleted when its days of grace are over.',
  },
  'workspace.deleted': {
    audited: true,
    subject: 'workspace',
    heldBy: 'transition',
    summary: 'A workspace was deleted with everything in it; the event holds the final head of its chain.',
  },
  'project.created': {
    audited: true,
    subject: 'project',
    heldBy: 'transition',
    summary: 'A project was created.',
  },
  'build_session.started': {
    audited: true,
    subject: 'build_session',
    heldBy: 'transition',
    summary: 'A new build session began.',
  },
  'project.updated': {
    audited: true,
    subject: 'project',
    heldBy: 'transition',
    summary: 'Name, repository urls or attributes of a project were changed.',
  },
  'project.archived': {
    audited: true,
    subject: 'project',
    heldBy: 'transition',
    summary: 'A project was archived.',
  },
  'build_session.continuation_linked': {
    audited: true,
    subject: 'build_session',
    heldBy: 'transition',
    summary: 'A build session was linked to the one it continues.',
  },
  'build_session.prs_recorded': {
    audited: true,
    subject: 'build_session',
    heldBy: 'transition',
    summary: 'Pull requests of a build session were recorded.',
  },
  'build_session.commits_recorded': {
    audited: true,
    subject: 'build_session',
    heldBy: 'transition',
    summary: 'Commits of a build session were recorded.',
  },
  'build_session.project_reassigned': {
    audited: true,
    subject: 'build_session',
    heldBy: 'transition',
    summary: 'A build session was moved to another project.',
  },
  'build_session.ended': {
    audited: true,
    subject: 'build_session',
    heldBy: 'transition',
    summary: 'A build session was ended.',
  },
  'build_session.resumed': {
    audited: false,
    subject: 'build_session',
    summary: 'An active session was found again by its key; nothing of it was changed.',
  },
  'build_session.pinged': { audited: false, subject: 'build_session', summary: 'A session said that it lives.' },
  'build_session.state_replaced': {
    audited: false,
    subject: 'build_session',
    summary: 'The current state of a session was replaced whole.',
  },
  'build_session.lead_prepended': {
    audited: false,
    subject: 'build_session',
    summary: 'A new lead was put on top of the current state.',
  },
  'decision.appended': {
    audited: true,
    subject: 'decision',
    heldBy: 'row',
    summary: 'A decision was appended to the log.',
  },
  'decision.corrected': {
    audited: true,
    subject: 'decision',
    heldBy: 'row',
    summary: 'A decision was appended that supersedes an earlier one.',
  },
  'decision.source_linked': {
    audited: true,
    subject: 'decision',
    heldBy: 'transition',
    summary: 'A decision was linked to the build session or backlog item it came from.',
  },
  'backlog_item.filed': {
    audited: true,
    subject: 'backlog_item',
    heldBy: 'transition',
    summary: 'A backlog item was filed.',
  },
  'backlog_item.triaged': {
    audited: true,
    subject: 'backlog_item',
    heldBy: 'transition',
    summary: 'A backlog item was triaged.',
  },
  'backlog_item.started': {
    audited: true,
    subject: 'backlog_item',
    heldBy: 'transition',
    summary: 'A backlog item was started.',
  },
  'backlog_item.resolved': {
    audited: true,
    subject: 'backlog_item',
    heldBy: 'transition',
    summary: 'A backlog item was resolved.',
  },
  'backlog_item.dismissed': {
    audited: true,
    subject: 'backlog_item',
    heldBy: 'transition',
    summary: 'A backlog item was dismissed.',
  },
  'backlog_item.assigned': {
    audited: true,
    subject: 'backlog_item',
    heldBy: 'transition',
    summary: 'A backlog item was given to somebody.',
  },
  'backlog_item.claimed': {
    audited: true,
    subject: 'backlog_item',
    heldBy: 'transition',
    summary: 'A backlog item was claimed and so started.',
  },
  'backlog_item.released': {
    audited: true,
    subject: 'backlog_item',
    heldBy: 'transition',
    summary: 'A backlog item in progress was given back.',
  },
  'backlog_item.reprioritised': {
    audited: true,
    subject: 'backlog_item',
    heldBy: 'transition',
    summary: 'Priority or category of a backlog item was changed.',
  },
  'backlog_item.blocked': {
    audited: true,
    subject: 'backlog_item',
    heldBy: 'transition',
    summary: 'A backlog item was made to wait for others.',
  },
  'backlog_item.unblocked': {
    audited: true,
    subject: 'backlog_item',
    heldBy: 'transition',
    summary: 'A backlog item no longer waits for others.',
  },
  'backlog_item.commented': {
    audited: false,
    subject: 'backlog_item',
    summary: 'A comment was added to a backlog item.',
  },
  'loop.limits_set': {
    audited: true,
    subject: 'loop',
    heldBy: 'transition',
    summary: 'Cap or no-progress limit of a loop were set.',
  },
  'loop.work_reset': {
    audited: true,
    subject: 'loop',
    heldBy: 'transition',
    summary: 'What a loop had measured was forgotten, with a reason.',
  },
  'loop.call_counted': { audited: false, subject: 'loop', summary: 'A shell call was counted against the cap.' },
  'loop.measured': { audited: false, subject: 'loop', summary: 'The test step recorded what failed first.' },
  'rule.created': {
    audited: true,
    subject: 'rule',
    heldBy: 'transition',
    summary: 'A rule was created.',
  },
  'rule.revised': {
    audited: true,
    subject: 'rule',
    heldBy: 'transition',
    summary: 'A rule was revised.',
  },
  'rule.archived': {
    audited: true,
    subject: 'rule',
    heldBy: 'transition',
    summary: 'A rule was taken out of use.',
  },
  'rule.imported': {
    audited: true,
    subject: 'rule',
    heldBy: 'transition',
    summary: 'A rule was created or revised from a file.',
  },
  'rule.delivered': { audited: false, subject: 'rule', summary: 'A rule was told to a build session.' },
  'credential.issued': {
    audited: true,
    subject: 'credential',
    heldBy: 'transition',
    summary: 'A credential was issued.',
  },
  'credential.rotated': {
    audited: true,
    subject: 'credential',
    heldBy: 'transition',
    summary: 'A credential got a new secret; the old one ends with the overlap.',
  },
  'credential.revoked': {
    audited: true,
    subject: 'credential',
    heldBy: 'transition',
    summary: 'A credential was revoked.',
  },
  'credential.used': { audited: false, subject: 'credential', summary: 'A credential was used.' },
  'member.invited': {
    audited: true,
    subject: 'member',
    heldBy: 'transition',
    summary: 'A person was invited, or got a new link.',
  },
  'member.joined': {
    audited: true,
    subject: 'member',
    heldBy: 'transition',
    summary: 'An invited person signed in for the first time.',
    beyondOperations: 'the sign-in page, when an invitation is used',
  },
  'member.sign_in_link_made': {
    audited: true,
    subject: 'member',
    heldBy: 'transition',
    summary: 'The operator of the installation made a one-time sign-in link for a member.',
    beyondOperations: 'the operator, with access to the database',
  },
  'member.role_changed': {
    audited: true,
    subject: 'member',
    heldBy: 'transition',
    summary: 'The role of a member was changed.',
  },
  'member.removed': {
    audited: true,
    subject: 'member',
    heldBy: 'transition',
    summary: 'A member was removed; their credentials and sessions ended with it.',
  },
} as const satisfies Record<string, EventType>;

export type EventTypeName = keyof typeof EVENT_TYPES;

export type AuditedEventName = {
  [Name in EventTypeName]: (typeof EVENT_TYPES)[Name]['audited'] extends true ? Name : never;
}[EventTypeName];
