import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** IANA IPv4 Special-Purpose Address Registry, multicast and the reserved last block besides: none is the public internet. */
const NOT_PUBLIC_V4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** Of the one block of IPv6 that is routed publicly (2000::/3), what carries other addresses or is set aside. */
const NOT_PUBLIC_V6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
];

const blocked = new BlockList();
for (const [network, prefix] of NOT_PUBLIC_V4) blocked.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of NOT_PUBLIC_V6) blocked.addSubnet(network, prefix, 'ipv6');

const routed = new BlockList();
routed.addSubnet('2000::', 3, 'ipv6');

/** Whether an address literal lies on the public internet; false for everything that is no address. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !blocked.check(address, 'ipv4');
  // Mapped IPv4 (::ffff:127.0.0.1) and translated addresses lie outside of 2000::/3.
  return isIPv6(address) && routed.check(address, 'ipv6') && !blocked.check(address, 'ipv6');
}
