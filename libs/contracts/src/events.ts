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
}

/** The one catalogue of event types (A1). Unaudited ones stand here too, so that leaving them out is a decision. */
export const EVENT_TYPES = {
  'workspace.created': { audited: true, subject: 'workspace', summary: 'A workspace was created.' },
  'project.created': { audited: true, subject: 'project', summary: 'A project was created.' },
  'build_session.started': { audited: true, subject: 'build_session', summary: 'A new build session began.' },
  'build_session.ended': { audited: true, subject: 'build_session', summary: 'A build session was ended.' },
  'build_session.resumed': {
    audited: false,
    subject: 'build_session',
    summary: 'An active session was found again by its key; nothing was written but its last ping.',
  },
  'build_session.pinged': { audited: false, subject: 'build_session', summary: 'A session said that it lives.' },
  'build_session.lead_prepended': {
    audited: false,
    subject: 'build_session',
    summary: 'A new lead was put on top of the current state.',
  },
  'decision.appended': { audited: true, subject: 'decision', summary: 'A decision was appended to the log.' },
  'credential.issued': { audited: true, subject: 'credential', summary: 'A credential was issued.' },
} as const satisfies Record<string, EventType>;

export type EventTypeName = keyof typeof EVENT_TYPES;

export type AuditedEventName = {
  [Name in EventTypeName]: (typeof EVENT_TYPES)[Name]['audited'] extends true ? Name : never;
}[EventTypeName];
