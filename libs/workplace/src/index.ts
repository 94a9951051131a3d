export { contentHash } from './content-hash.js';
export { remoteIdentity } from './remote-identity.js';
export { computerName, readWorkplace, type Workplace } from './workplace.js';
