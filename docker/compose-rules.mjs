// What compose.yaml must keep to. Each rule answers with a sentence for each breach.
import { lastOf, readCompose, requiredVariables } from './compose-model.mjs';

const FULL_VERSION = /:v?\d+\.\d+[\w.-]*(?:@sha256:[0-9a-f]{64})?$/;
const RUNS_ONCE = 'no';

const dependenciesOf = ({ depends_on: dependencies = {} }) => Object.entries(dependencies);
const runsOnce = ({ restart }) => restart === RUNS_ONCE;

const imageProblems = ([name, { image = '', build }], { dockerfile }) => {
  if (!FULL_VERSION.test(image)) return [`${name}: the image ${image} has no full version`];
  if (build && !dockerfile.stages.some((stage) => stage.name === build.target)) {
    return [`${name}: the Dockerfile has no target ${build.target}`];
  }
  return [];
};

const confinementProblems = ([name, service]) => {
  const found = [];
  if (service.read_only !== true) found.push('can write into its own files: read_only');
  if (!service.cap_drop?.includes('ALL')) found.push('keeps capabilities: cap_drop');
  if (service.cap_add?.length > 0) found.push('takes capabilities back: cap_add');
  if (!service.security_opt?.includes('no-new-privileges:true')) found.push('may gain privileges: security_opt');
  if (service.privileged || service.network_mode === 'host' || service.pid === 'host') found.push('is not confined');
  if (!service.build && !/^(?!root$|0$)\w+$/.test(String(service.user ?? ''))) found.push('starts as root: user');
  if (!service.pids_limit) found.push('may fork without end: pids_limit');
  if (JSON.stringify(service.volumes ?? []).includes('docker.sock')) found.push('holds the engine itself: docker.sock');
  return found.map((what) => `${name} ${what}`);
};

const portProblems = ([name, { ports = [] }]) =>
  ports
    .filter((port) => !String(port).startsWith('127.0.0.1:'))
    .map((port) => `${name} offers ${port} to every network`);

const dependencyProblems = (entry, context) =>
  dependenciesOf(entry[1]).flatMap(([other, { condition }]) => {
    const target = context.services[other];
    if (!target) return [`${entry[0]} waits for ${other}, which is no service`];
    if (condition === 'service_completed_successfully' && runsOnce(target)) return [];
    if (condition === 'service_healthy' && !runsOnce(target) && isChecked([other, target], context)) return [];
    return [`${entry[0]} waits for ${other} to be ${condition}, which says nothing about it`];
  });

const isChecked = ([, { healthcheck, build }], { dockerfile }) => {
  const stage = dockerfile.stages.find(({ name }) => name === build?.target);
  const inImage = stage ? lastOf(dockerfile, stage, 'HEALTHCHECK') : undefined;
  return healthcheck?.test?.length > 1 || (inImage !== undefined && inImage !== 'NONE');
};

const healthProblems = (entry, context) =>
  runsOnce(entry[1]) || isChecked(entry, context) ? [] : [`${entry[0]} has no health check`];

/** A password comes from the environment and from nowhere else; a variable without `:?` would let an empty one pass. */
const secretProblems = ([name, { environment = {}, command }]) => {
  const literal = (text) => /(?:\/\/[^/@]*:)(?!\$\{[A-Z_]+:\?)[^/@]+@/.test(text);
  const found = Object.entries(environment).filter(([variable, value]) => {
    const isSecret = /PASSWORD|AUTH$|SECRET|TOKEN/.test(variable);
    return literal(String(value)) || (isSecret && !/^\$\{[A-Z_]+:\?[^}]+\}$/.test(String(value)));
  });
  const inCommand = /PASSWORD/.test(JSON.stringify(command ?? ''))
    ? [`${name} shows a secret in its command line`]
    : [];
  return [
    ...found.map(([variable]) => `${name}: ${variable} holds a secret that is not required from .env`),
    ...inCommand,
  ];
};

const serviceProblems = (context) =>
  Object.entries(context.services).flatMap((entry) =>
    [imageProblems, confinementProblems, portProblems, dependencyProblems, healthProblems, secretProblems].flatMap(
      (rule) => rule(entry, context),
    ),
  );

const appProblems = ({ services, apps }) =>
  apps.flatMap((app) => {
    const service = services[app];
    if (!service) return [`there is no service for apps/${app}`];
    const waits = dependenciesOf(service).some(([other]) => other === 'migrate');
    return waits ? [] : [`${app} does not wait for the migrations`];
  });

const storageProblems = ({ services: { postgres, redis }, configs }) => {
  const found = [];
  // The image of Postgres 18 puts its data into /var/lib/postgresql/18/docker; a volume on …/data stays empty.
  if (!postgres?.volumes?.some((volume) => volume.endsWith(':/var/lib/postgresql')))
    found.push('postgres would lose its data');
  if (!redis?.volumes?.some((volume) => volume.endsWith(':/data'))) found.push('redis would lose its data');
  const settings = configs?.redis?.content ?? '';
  for (const setting of ['maxmemory-policy noeviction', 'appendonly yes', 'requirepass ${']) {
    if (!settings.includes(setting)) found.push(`redis has no ${setting}`);
  }
  return found;
};

const variableProblems = ({ text, generated }) =>
  requiredVariables(text)
    .filter((name) => !generated.includes(name))
    .map((name) => `${name} is required, and init.mjs does not write it`);

/**
 * @param {string} text of the compose file
 * @param {{dockerfile: object, apps: string[], generated: string[]}} context `generated`: variables that init.mjs writes
 * @returns {string[]} a sentence for each breach
 */
export function composeProblems(text, context) {
  const { services = {}, configs } = readCompose(text);
  const whole = { ...context, text, services, configs };
  return [serviceProblems, appProblems, storageProblems, variableProblems].flatMap((rule) => rule(whole));
}
