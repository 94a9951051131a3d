import { isIP } from 'node:net';
import { z } from 'zod';
import { LOG_LEVELS, type LogLevel } from '../log/logger.js';
import { listOf, optional, urlWith, wholeNumber } from './schemas.js';
import type { Setting } from './setting.js';

/** A Postgres url. Which role it must carry is said by the variable's name. */
export function databaseUrl(variable: string): Setting<string> {
  return {
    variable,
    schema: urlWith(['postgres:', 'postgresql:']),
    expected: 'a Postgres url, special characters of the password percent-encoded',
    example: 'postgres://role:password@127.0.0.1:5432/perdure',
    shown: 'url',
  };
}

/** Where BullMQ keeps its jobs. */
export function queueUrl(variable = 'PERDURE_QUEUE_URL'): Setting<string> {
  return {
    variable,
    schema: urlWith(['redis:', 'rediss:', 'postgres:', 'postgresql:']),
    expected: 'a redis://, rediss:// or postgres:// url',
    example: 'redis://127.0.0.1:6379/0',
    shown: 'url',
  };
}

/** Loopback unless told otherwise: nothing is offered to a network by default. */
export function httpHost(): Setting<string> {
  return {
    variable: 'PERDURE_HTTP_HOST',
    schema: optional(z.string().regex(/^[A-Za-z0-9.:-]+$/), '127.0.0.1'),
    expected: 'a host name or address to listen on',
    example: '0.0.0.0',
  };
}

/** 0 lets the system choose a port. */
export function httpPort(byDefault: number): Setting<number> {
  return {
    variable: 'PERDURE_HTTP_PORT',
    schema: optional(wholeNumber(0, 65_535), byDefault),
    expected: 'a port number from 0 to 65535',
    example: String(byDefault),
  };
}

export function logLevel(): Setting<LogLevel> {
  return {
    variable: 'PERDURE_LOG_LEVEL',
    schema: optional(z.enum(LOG_LEVELS), 'info'),
    expected: `one of ${LOG_LEVELS.join(', ')}`,
    example: 'info',
  };
}

/** Connections to Postgres at most, for this process. */
export function poolSize(): Setting<number> {
  return {
    variable: 'PERDURE_POOL_SIZE',
    schema: optional(wholeNumber(1, 500), 10),
    expected: 'a number of connections from 1 to 500',
    example: '10',
  };
}

/** Usage reports of one workspace that may wait to be applied; further batches are refused with 429 until some are. */
export function usageBacklog(): Setting<number> {
  return {
    variable: 'PERDURE_USAGE_BACKLOG',
    schema: optional(wholeNumber(1, 100_000_000), 100_000),
    expected: 'a number of reports from 1 to 100000000',
    example: '100000',
  };
}

/** How long the lines of an applied usage batch and their results are kept. */
export function usageBatchDays(): Setting<number> {
  return {
    variable: 'PERDURE_USAGE_BATCH_DAYS',
    schema: optional(wholeNumber(1, 3_650), 30),
    expected: 'a number of days from 1 to 3650',
    example: '30',
  };
}

/** Whether Postgres keeps statements by name. Off for a pooler in transaction mode that does not hand names on. */
export function preparedStatements(): Setting<boolean> {
  return {
    variable: 'PERDURE_PREPARED_STATEMENTS',
    schema: optional(
      z.enum(['on', 'off']).transform((word) => word === 'on'),
      true,
    ),
    expected: 'on or off (PgBouncer before 1.21, or with max_prepared_statements = 0, needs off)',
    example: 'on',
  };
}

export type EnvironmentName = 'development' | 'production' | 'test';

export function environmentName(): Setting<EnvironmentName> {
  return {
    variable: 'PERDURE_ENV',
    schema: optional(z.enum(['development', 'production', 'test']), 'development'),
    expected: 'development, production or test',
    example: 'production',
  };
}

/** Where users and agents reach this installation; without a trailing slash. */
export function publicUrl(): Setting<string | null> {
  return {
    variable: 'PERDURE_PUBLIC_URL',
    schema: optional(
      urlWith(['http:', 'https:']).transform((url) => url.replace(/\/+$/, '')),
      null,
    ),
    expected: 'the http or https url under which people reach this installation',
    example: 'https://perdure.example.com',
    shown: 'url',
  };
}

/** Where people and tools reach the api, for links that are handed out; without a trailing slash. */
export function apiUrl(): Setting<string | null> {
  return {
    variable: 'PERDURE_API_URL',
    schema: optional(
      urlWith(['http:', 'https:']).transform((url) => url.replace(/\/+$/, '')),
      null,
    ),
    expected: 'the http or https url of the api, under which people sign in',
    example: 'https://perdure.example.com',
    shown: 'url',
  };
}

/** Where agents reach the gateway, path included, for ready client configurations. */
export function mcpUrl(): Setting<string | null> {
  return {
    variable: 'PERDURE_MCP_URL',
    schema: optional(urlWith(['http:', 'https:']), null),
    expected: 'the http or https url of the MCP endpoint',
    example: 'https://perdure.example.com/mcp',
    shown: 'url',
  };
}

/** Origins of browsers that may call, besides the one that serves the dashboard. */
export function allowedOrigins(): Setting<string[]> {
  const origin = z.string().refine((text) => URL.canParse(text) && new URL(text).origin === text);
  return {
    variable: 'PERDURE_ALLOWED_ORIGINS',
    schema: optional(listOf(origin), []),
    expected: 'origins (scheme, host and port, no path) separated by commas',
    example: 'https://tools.example.com,http://localhost:5173',
  };
}

/**
 * Proxies whose `X-Forwarded-For` is believed, by address or network. Nobody by default: a client could write there who
 * it wants to be. Names and hop counts are not taken, because both believe whoever stands in the right place.
 */
export function trustedProxies(): Setting<string[]> {
  return {
    variable: 'PERDURE_TRUSTED_PROXIES',
    schema: optional(listOf(z.string().refine(isAddressOrNetwork)), []),
    expected: 'addresses or networks (CIDR) of proxies, separated by commas',
    example: '10.0.0.0/8,127.0.0.1',
  };
}

function isAddressOrNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}
