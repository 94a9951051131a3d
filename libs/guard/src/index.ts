export { checkText, type InputProblem } from './text-gate.js';
