// `node libs/store/dist/migrate-command.js`: brings the schema up to date as perdure_owner. Several may run at once.
import { migrate } from './migrate.js';
import { EnvironmentError, passwordOf, requireVariables, runCommand } from './operator-command.js';
import { secretFault } from './secret-strength.js';

const OWNER_URL = 'PERDURE_DATABASE_OWNER_URL';

void runCommand('migrate', async (env) => {
  const { [OWNER_URL]: ownerUrl } = requireVariables(env, {
    [OWNER_URL]: 'the url of the role perdure_owner, not through a transaction pooler',
  });
  const password = passwordOf(OWNER_URL, ownerUrl);
  const fault = password === '' ? null : secretFault(password);
  if (fault !== null) throw new EnvironmentError([`the password in ${OWNER_URL} ${fault}`]);
  const applied = await migrate(ownerUrl);
  return applied.length === 0 ? 'migrate: nothing to do' : `migrate: ran ${applied.join(', ')}`;
});
