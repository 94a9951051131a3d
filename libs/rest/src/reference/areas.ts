import { catalogue, type Area } from '@perdure/contracts';

/** Areas whose title is not their name. */
const TITLES: Readonly<Record<string, string>> = {
  sessions: 'Build sessions',
  decisions: 'Decision log',
  loop: 'Loop state',
};

/** Every area in the order of the catalogue. */
export const areas = () => Object.keys(catalogue) as Area[]; // the catalogue has exactly these keys

/** An area as a heading names it. */
export const areaTitle = (area: Area): string => TITLES[area] ?? `${area.charAt(0).toUpperCase()}${area.slice(1)}`;
