import { ConfigError, type EnvironmentName, type Setting } from '@perdure/service';
import { z } from 'zod';

const VARIABLE = 'PERDURE_CONFORMANCE_FIXTURES';

/** Whether the tools, prompts and resources that the MCP conformance suite calls by name stand beside our own. */
export function conformanceFixtures(): Setting<boolean> {
  return {
    variable: VARIABLE,
    schema: z
      .enum(['on', 'off'])
      .optional()
      .transform((word) => word === 'on'),
    expected: 'on or off',
    example: 'off',
  };
}

/**
 * Tools that show anyone an image or ask them for their name have no place in an installation.
 * @throws ConfigError unless PERDURE_ENV says that this is a test
 */
export function refuseOutsideTests(config: { readonly conformance: boolean; readonly environment: EnvironmentName }) {
  if (!config.conformance || config.environment === 'test') return;
  const seen = `on, with PERDURE_ENV ${config.environment}`;
  throw new ConfigError([{ variable: VARIABLE, seen, expected: 'off outside of tests', example: 'off' }]);
}
