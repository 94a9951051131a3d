// `node libs/store/dist/roles-command.js`: the roles, the database and its privileges, as superuser. Safe to run again:
// it changes nothing but the passwords given.
import { type Environment, EnvironmentError, passwordOf, requireVariables, runCommand } from './operator-command.js';
import { bootstrapRoles, ROLES, type RoleName } from './roles.js';
import { secretFaults } from './secret-strength.js';

const SUPERUSER_URL = 'PERDURE_DATABASE_SUPERUSER_URL';
const DEFAULT_DATABASE = 'perdure';

/** `PERDURE_APP_PASSWORD` and so on. */
const passwordVariable = (role: RoleName) => `${role.toUpperCase()}_PASSWORD`;

void runCommand('roles', async (env) => {
  const { superuserUrl, passwords } = readSettings(env);
  const database = env['PERDURE_DATABASE_NAME'] || DEFAULT_DATABASE;
  await bootstrapRoles({ superuserUrl, database, passwords });
  return `roles: ${ROLES.length} roles and the database ${database} are as they should be`;
});

function readSettings(env: Environment) {
  const wanted = ROLES.map((role) => [passwordVariable(role), `the password for the role ${role}`]);
  const given = requireVariables(env, {
    [SUPERUSER_URL]: 'the url of a superuser of the cluster, such as postgres://postgres:…@127.0.0.1:5432/postgres',
    ...Object.fromEntries(wanted),
  });
  const { [SUPERUSER_URL]: superuserUrl = '', ...secrets } = given;
  const superuserPassword = passwordOf(SUPERUSER_URL, superuserUrl);
  const faults = secretFaults(superuserPassword === '' ? secrets : { [SUPERUSER_URL]: superuserPassword, ...secrets });
  if (faults.length > 0) throw new EnvironmentError(faults);
  const passwords = Object.fromEntries(ROLES.map((role) => [role, secrets[passwordVariable(role)]]));
  return { superuserUrl, passwords: passwords as Record<RoleName, string> }; // one entry for each of ROLES, all required
}
