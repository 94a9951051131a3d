import { isGithubBody } from '../checksums.js';
import type { TokenFormat } from '../token-format.js';

const github = (kind: string, prefix: string): TokenFormat => ({
  kind,
  prefixes: [prefix],
  body: '[0-9A-Za-z]{36,}',
  isValid: isGithubBody,
});

/** Code hosts and package registries. */
export const CODE_HOST_FORMATS: readonly TokenFormat[] = [
  github('github_pat_classic', 'ghp_'),
  github('github_oauth', 'gho_'),
  github('github_app_user', 'ghu_'),
  github('github_app_installation', 'ghs_'),
  github('github_refresh', 'ghr_'),
  {
    kind: 'github_app_installation',
    prefixes: ['ghs_'],
    body: '[0-9]{1,12}_eyJ[\\w-]{10,}\\.[\\w-]{10,}\\.[\\w-]{20,}',
  },
  { kind: 'github_fine_grained', prefixes: ['github_pat_'], body: '[0-9A-Za-z]{22}_[0-9A-Za-z]{59}' },
  { kind: 'gitlab_pat', prefixes: ['glpat-'], body: '[\\w-]{20,}(?:\\.[0-9a-z]{2}\\.[0-9a-z]{9})?' },
  { kind: 'gitlab_runner', prefixes: ['glrt-', 'glrtr-'], body: '[\\w-]{20,}(?:\\.[0-9a-z]{2}\\.[0-9a-z]{9})?' },
  { kind: 'gitlab_runner', prefixes: ['GR1348941'], body: '[\\w-]{20}' },
  {
    kind: 'gitlab_token',
    prefixes: ['gldt-', 'glptt-', 'glft-', 'glsoat-', 'glimt-', 'glagent-', 'glcbt-', 'gloas-', 'glffct-'],
    body: '[\\w-]{20,}',
  },
  { kind: 'gitlab_session', prefixes: ['_gitlab_session='], isLabel: true, body: '[0-9a-f]{32}' },
  { kind: 'bitbucket_app_password', prefixes: ['ATBB'], body: '[0-9A-Za-z]{32}' },
  { kind: 'atlassian_api_token', prefixes: ['ATATT3xFf', 'ATCTT3xFf'], body: '[\\w-]{100,}=[0-9A-Fa-f]{8}' },
  { kind: 'trello_token', prefixes: ['ATTA'], body: '[0-9a-f]{64}[0-9A-Fa-f]{8}' },
  { kind: 'sourcegraph_token', prefixes: ['sgp_'], body: '(?:[0-9A-Fa-f]{16}_|local_)?[0-9A-Fa-f]{40}' },
  { kind: 'npm_token', prefixes: ['npm_'], body: '[0-9A-Za-z]{36}' },
  { kind: 'pypi_token', prefixes: ['pypi-AgE'], body: '[\\w-]{50,}' },
  { kind: 'rubygems_key', prefixes: ['rubygems_'], body: '[0-9a-f]{48}' },
  { kind: 'crates_io_token', prefixes: ['cio'], body: '[0-9A-Za-z]{32}' },
  { kind: 'nuget_key', prefixes: ['oy2'], body: '[0-9a-z]{43}' },
  { kind: 'docker_token', prefixes: ['dckr_pat_', 'dckr_oat_'], body: '[\\w-]{27,32}' },
  { kind: 'clojars_token', prefixes: ['CLOJARS_'], body: '[0-9a-z]{60}' },
  { kind: 'packagist_token', prefixes: ['packagist_ort_', 'packagist_urt_', 'packagist_uut_'], body: '[0-9a-f]{68}' },
  { kind: 'artifactory_key', prefixes: ['AKCp'], body: '[0-9A-Za-z]{69}' },
  { kind: 'artifactory_token', prefixes: ['cmVmdGtu'], body: '[0-9A-Za-z]{56}' },
];
