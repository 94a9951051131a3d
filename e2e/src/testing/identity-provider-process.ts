// An OpenID provider of somebody else, as a process: everybody is who they say. The name typed in is
// `<subject>|<e-mail address>|<verified or not>|<groups>`. It reads its client's redirect address from stdin.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';

const CLIENT_ID = 'perdure';

async function main(): Promise<void> {
  const { Provider } = await import('oidc-provider');
  let handle: ReturnType<InstanceType<typeof Provider>['callback']> | null = null;
  const server = createServer((request, response) => void handle?.(request, response));
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo; // a listening TCP server has one
    process.stdout.write(`http://127.0.0.1:${port}\n`);
  });
  createInterface({ input: process.stdin }).on('line', (redirectUri) => {
    const { port } = server.address() as AddressInfo; // the same server
    const provider = new Provider(`http://127.0.0.1:${port}`, {
      clients: [
        { client_id: CLIENT_ID, client_secret: 'of-the-tests', redirect_uris: [redirectUri], subject_type: 'pairwise' },
      ],
      subjectTypes: ['pairwise'],
      // The subject is the first part of what was typed in, not all of it.
      pairwiseIdentifier: (_ctx, id) => id.split('|')[0] ?? '',
      clientDefaults: { token_endpoint_auth_method: 'client_secret_post' },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], groups: ['groups'] },
      findAccount: (_ctx, id) => {
        const [, email, verified, groups = ''] = id.split('|');
        return {
          accountId: id,
          claims: () => ({ sub: id, email, email_verified: verified === 'verified', groups: groups.split(',') }),
        };
      },
    });
    handle = provider.callback();
    process.stdout.write('ready\n');
  });
  process.stdin.once('close', () => process.exit(0));
}

void main();
