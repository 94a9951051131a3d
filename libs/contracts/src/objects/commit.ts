import { z } from 'zod';
import { instant } from '../fields.js';

/** A commit of a build session with the paths it touches. */
export const commitObject = z.object({ sha: z.string(), paths: z.array(z.string()), recorded_at: instant() });

export type CommitObject = z.output<typeof commitObject>;
