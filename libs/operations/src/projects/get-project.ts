import { catalogue } from '@perdure/contracts';
import { implement } from '../dispatcher/implement.js';
import { requireProject } from './find-project.js';

export const getProjectHandler = implement(catalogue.projects.getProject, async ({ tx, input }) => ({
  project: await requireProject(tx, input.project),
}));
