import type { ReadResourceResult, Resource, ResourceTemplateType } from '@modelcontextprotocol/server';
import { IMAGE } from './content.js';

const STATIC: readonly (Resource & ({ text: string } | { blob: string }))[] = [
  {
    uri: 'test://static-text',
    name: 'static-text',
    mimeType: 'text/plain',
    text: 'This is the content of the static text resource.',
  },
  { uri: 'test://static-binary', name: 'static-binary', mimeType: IMAGE.mimeType, blob: IMAGE.data },
  { uri: 'test://watched-resource', name: 'watched-resource', mimeType: 'text/plain', text: 'Nothing happens here.' },
];

export const fixtureResources: readonly Resource[] = STATIC.map(({ uri, name, mimeType = '' }) => ({
  uri,
  name,
  mimeType,
}));

export const fixtureTemplates: readonly ResourceTemplateType[] = [
  { uriTemplate: 'test://template/{id}/data', name: 'template', mimeType: 'application/json' },
];

/** The resource of that name, or null: then it is one of ours, or none. */
export function readFixture(uri: string): ReadResourceResult | null {
  const found = STATIC.find((one) => one.uri === uri);
  if (found !== undefined) {
    const body = 'text' in found ? { text: found.text } : { blob: found.blob };
    return { contents: [{ uri, mimeType: found.mimeType, ...body }] };
  }
  const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? [];
  if (id === undefined) return null;
  const data = { id, templateTest: true, data: `Data for ID: ${id}` };
  return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(data) }] };
}
