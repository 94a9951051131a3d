import { DomainError } from '@perdure/contracts';
import { scopeOfCall } from '@perdure/mcp';
import { callerOf, type Challenge } from '@perdure/service';
import type { RequestHandler } from 'express';
import { JsonRpcRefusal, messageId } from './json-rpc-refusal.js';

/**
 * A call for which a program would need to be allowed more: 403 `insufficient_scope` before the protocol begins, so that
 * the client can ask its person (DESIGN §4). Only for credentials that a person approved; any other gets a tool result,
 * which its model can read, for there is nobody to ask.
 *
 * The challenge names what the program has besides what it lacks: a client asks for exactly what it reads there, and
 * would lose the rest (2026-07-28, basic/authorization, Runtime Insufficient Scope Errors).
 */
export const stepUp =
  ({ resourceMetadataUrl }: Challenge): RequestHandler =>
  (request, response, next) => {
    const caller = callerOf(response);
    const scope = scopeOfCall(request.body, caller.scopes);
    if (caller.via !== 'mcp_authorization' || scope === null) return next();
    const wanted = [...caller.scopes, scope].join(' ');
    const parts = [`error="insufficient_scope"`, `scope="${wanted}"`, `resource_metadata="${resourceMetadataUrl}"`];
    response.set('www-authenticate', `Bearer ${parts.join(', ')}`);
    const refusal = new DomainError('forbidden_scope', `This call needs the scope ${scope}.`, { scope });
    next(new JsonRpcRefusal(-32001, refusal, messageId(request.body)));
  };
