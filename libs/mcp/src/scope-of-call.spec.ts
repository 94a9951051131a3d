import { scopeOfCall } from './scope-of-call.js';

const call = (params: unknown) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });

test.each([
  [call({ name: 'create_project' }), 'projects:write'],
  [call({ name: 'run_operation', arguments: { name: 'verify_audit_chain' } }), 'audit:read'],
  [call({ name: 'who_am_i' }), null],
  [call({ name: 'run_operation', arguments: {} }), null],
  [call({ name: 'run_operation' }), null],
  [call({ name: 'no_such_tool' }), null],
  [call({ name: 7 }), null],
  [call(null), null],
  [{ ...call({ name: 'create_project' }), method: 'tools/list' }, null],
  ['tools/call', null],
  [null, null],
])('DESIGN 4: %j needs %s', (body, scope) => {
  expect(scopeOfCall(body)).toBe(scope);
});
