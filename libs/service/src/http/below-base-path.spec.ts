import express from 'express';
import request from 'supertest';
import { belowBasePath } from './below-base-path.js';

const seen = async (publicUrl: string | null, path: string): Promise<string> => {
  const app = express().use(belowBasePath(publicUrl), (incoming, response) => void response.send(incoming.url));
  return (await request(app).get(path)).text;
};

test.each([
  ['https://example.com/perdure', '/perdure/mcp?x=/perdure/', '/mcp?x=/perdure/'],
  ['https://example.com/perdure', '/mcp', '/mcp'],
  ['https://example.com/perdure', '/perdures/mcp', '/perdures/mcp'],
  ['https://example.com/perdure', '/perdure', '/perdure'],
  ['https://example.com/a/b/', '/a/b/v1/me', '/v1/me'],
  ['https://example.com', '/perdure/mcp', '/perdure/mcp'],
  [null, '/mcp', '/mcp'],
])('under %s a request for %s is one for %s', async (publicUrl, path, expected) => {
  expect(await seen(publicUrl, path)).toBe(expected);
});
