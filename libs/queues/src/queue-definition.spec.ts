import { auditLink, usageIngest } from './queue-catalogue.js';
import { defineQueue, wakeUpPayload } from './queue-definition.js';

describe('queue declarations', () => {
  it('name the two queues', () => {
    expect([auditLink.name, usageIngest.name]).toEqual(['audit-link', 'usage-ingest']);
  });

  it('let nothing but the workspace id through', () => {
    const parsed = auditLink.payload.parse({ workspace_id: 'w1', text: 'the content of an event' });
    expect(parsed).toEqual({ workspace_id: 'w1' });
    expect(auditLink.payload.safeParse({}).success).toBe(false);
  });

  it('refuse a name that BullMQ cannot use', () => {
    expect(() => defineQueue({ name: 'a:b', payload: wakeUpPayload, retention: { failedCount: 1 } })).toThrow(/a:b/);
  });

  it('cannot be changed afterwards', () => {
    expect(Object.isFrozen(auditLink) && Object.isFrozen(auditLink.retention)).toBe(true);
  });
});
