import { catalogue } from '../catalogue.js';
import { exampleOf } from './example.js';

const { createProject, listProjects, getProject, updateProject, archiveProject } = catalogue.projects;

export const projectExamples = [
  exampleOf(createProject, {
    name: 'Payments',
    slug: 'payments',
    repository_urls: ['https://github.com/acme/payments'],
    attributes: { language: 'typescript' },
  }),
  exampleOf(createProject, { name: 'Checkout', slug: 'checkout' }),
  exampleOf(createProject, { name: 'Prototype', slug: 'prototype' }),
  exampleOf(listProjects, { search: 'pay', limit: 20 }),
  exampleOf(getProject, { project: 'payments' }),
  exampleOf(updateProject, { project: 'payments', attributes: { language: 'typescript', tier: 'critical' } }),
  exampleOf(archiveProject, { project: 'prototype', reason: 'Replaced by the payments service.' }),
];
