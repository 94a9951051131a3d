export { connectQueues, type QueueConnection, type QueueOptions } from './connect-queues.js';
export type { QueueKind, QueueReadiness } from './backend.js';
export type { Consumer, WakeHandler } from './consumer.js';
export type { QueueFault, QueueLogger, ReportFault } from './outage.js';
export { parseQueueUrl, type QueueAddress } from './queue-address.js';
export { redisForCommands } from './redis-client.js';
export { auditLink, usageIngest } from './queue-catalogue.js';
export { defineQueue, type QueueDefinition, type WakeUpPayload } from './queue-definition.js';
export type { WakeUps } from './wake-ups.js';
