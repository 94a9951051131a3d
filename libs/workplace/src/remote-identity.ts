/** `user@host:path`, which git takes for ssh (gitremote-helpers, "GIT URLS" in git-fetch(1)). */
const SCP_LIKE = /^(?:[^@/\s]+@)?(?<host>[^:/\s]+):(?!\/\/)(?<path>\S+)$/;

/**
 * A remote as `host/path`, equal for the ways to write one repository: ssh or https, with or without `.git`, a user, a
 * token or a port. Holds no credential. Null for a remote without a host, such as a folder of this computer.
 */
export function remoteIdentity(remote: string): string | null {
  const scp = SCP_LIKE.exec(remote);
  if (scp?.groups && !/^[A-Za-z]:[\\/]/.test(remote))
    return identity(scp.groups['host'] ?? '', scp.groups['path'] ?? '');
  if (!URL.canParse(remote)) return null;
  const { hostname, pathname, protocol } = new URL(remote);
  return protocol === 'file:' ? null : identity(hostname, pathname);
}

function identity(host: string, path: string): string | null {
  const name = path.replace(/^\/+|\/+$/g, '').replace(/\.git$/i, '');
  if (host === '' || name === '') return null;
  // Forges treat owner and repository alike in any case, and so must two clones that were typed differently.
  return `${host}/${name}`.toLowerCase();
}
