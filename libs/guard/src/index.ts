export { detectSecret } from './secrets/detect-secret.js';
export { refuseSecret } from './secrets/refuse-secret.js';
export { type DetectedSecret } from './secrets/secret-rule.js';
export { shownName } from './shown-name.js';
export { checkText, type InputProblem } from './text-gate.js';
