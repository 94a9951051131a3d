import { genesisHash, toHex } from '@perdure/audit-chain';
it('self', () => { expect(toHex(genesisHash('01KB0000000000000000000001'))).toMatch(/^2e353082/); expect(require.resolve('@perdure/audit-chain')).toMatch(/src.index\.ts$/); expect(require.resolve('#sha256')).toMatch(/src.sha256-node\.ts$/)});
