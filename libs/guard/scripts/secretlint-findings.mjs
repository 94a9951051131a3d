// Reads a JSON list of texts on standard input and prints, for each, whether secretlint's recommended preset finds a
// secret: `[true, false, …]`. A process of its own, for secretlint is an ES module and works asynchronously only.
import { lintSource } from '@secretlint/core';
import { creator } from '@secretlint/secretlint-rule-preset-recommend';
import { text as readAll } from 'node:stream/consumers';

const config = { rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator, options: {} }] };

async function hasFinding(content) {
  const source = { content, filePath: 'note.md', ext: '.md', contentType: 'text' };
  const { messages } = await lintSource({ source, options: { config, noPhysicFilePath: true } });
  return messages.length > 0;
}

const texts = JSON.parse(await readAll(process.stdin));
const begun = process.hrtime.bigint();
const findings = [];
for (const text of texts) findings.push(await hasFinding(text));
const milliseconds = Number(process.hrtime.bigint() - begun) / 1e6;
console.error(`${texts.length} texts in ${milliseconds.toFixed(0)} ms`);
console.log(JSON.stringify(findings));
