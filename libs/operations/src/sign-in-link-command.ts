// `node libs/operations/dist/sign-in-link-command.js --workspace demo [--email ada@example.com]`: a one-time link with which
// a member signs in, for whoever can connect as perdure_owner. Without --email: for an owner of the workspace.
import { parseArgs } from 'node:util';
import { EnvironmentError, requireVariables, runCommand } from '@perdure/store';
import { operatorSignInUrl } from './platform/operator-sign-in.js';

const OWNER_URL = 'PERDURE_DATABASE_OWNER_URL';
const API_URL = 'PERDURE_API_URL';

void runCommand('sign-in-link', async (env) => {
  const { values } = parseArgs({ options: { workspace: { type: 'string' }, email: { type: 'string' } } });
  const { [OWNER_URL]: ownerUrl, [API_URL]: apiUrl } = requireVariables(env, {
    [OWNER_URL]: 'the url of the role perdure_owner',
    [API_URL]: 'the url under which people reach the api',
  });
  if (values.workspace === undefined) throw new EnvironmentError(['--workspace is missing: an id or a slug']);
  const { workspace, email } = values;
  return operatorSignInUrl({ ownerUrl, workspace, email, apiUrl: apiUrl.replace(/\/+$/, '') });
});
