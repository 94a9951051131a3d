import { catalogue, DomainError, type OperationContract } from '@perdure/contracts';
import {
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type ResourceTemplateType,
} from '@modelcontextprotocol/server';
import type { ToolCall } from './call-tool.js';

interface OurResource {
  readonly kind: string;
  readonly title: string;
  readonly description: string;
  readonly contract: OperationContract;
  readonly argument: string;
}

/** Each is an operation that reads one object, under its own scope and rules. */
const RESOURCES: readonly OurResource[] = [
  {
    kind: 'build-sessions',
    title: 'Build session',
    description: 'One build session whole, with its current state and history entry.',
    contract: catalogue.sessions.getBuildSession,
    argument: 'build_session_id',
  },
  {
    kind: 'decisions',
    title: 'Decision',
    description: 'One decision whole, with what it supersedes and what superseded it.',
    contract: catalogue.decisions.getDecisionLogEntry,
    argument: 'decision_id',
  },
];

const MIME_TYPE = 'application/json';

export const resourceTemplates: readonly ResourceTemplateType[] = RESOURCES.map(({ kind, title, description }) => ({
  uriTemplate: `perdure://${kind}/{id}`,
  name: kind,
  title,
  description,
  mimeType: MIME_TYPE,
}));

/**
 * Reads a resource through the operation behind it.
 * @throws ProtocolError -32602 for a uri of ours that names nothing (SEP-2164), or that the caller may not read
 */
export async function readResource(uri: string, { run, caller, options }: ToolCall): Promise<ReadResourceResult> {
  const [, kind, id] = /^perdure:\/\/([a-z-]+)\/([^/?#]+)$/.exec(uri) ?? [];
  const resource = RESOURCES.find((candidate) => candidate.kind === kind);
  if (resource === undefined || id === undefined) throw notFound(uri);
  try {
    const { output } = await run(resource.contract, caller, { [resource.argument]: id }, options);
    return { contents: [{ uri, mimeType: MIME_TYPE, text: JSON.stringify(output) }] };
  } catch (error) {
    if (error instanceof DomainError && error.kind !== 'internal' && error.kind !== 'unavailable') throw notFound(uri);
    throw new ProtocolError(ProtocolErrorCode.InternalError, 'The resource cannot be read at the moment.');
  }
}

const notFound = (uri: string) =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, 'Resource not found', { uri: uri.slice(0, 200) });
