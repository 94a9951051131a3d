/** Longest slug; the same limit as the contract's. */
const MAX_LENGTH = 60;

/** A slug made from a name, `My Project!` to `my-project`; from `fallback` when the name has no Latin letter or digit. */
export function slugFrom(name: string, fallback: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  const slug = words.join('-').slice(0, MAX_LENGTH).replace(/-+$/, '');
  return slug === '' ? fallback : slug;
}
