import { parseQueueUrl } from './queue-address.js';

describe('parseQueueUrl', () => {
  it('takes redis and rediss with a prefix of our own', () => {
    expect(parseQueueUrl('redis://127.0.0.1:6379/2')).toEqual({
      kind: 'redis',
      url: 'redis://127.0.0.1:6379/2',
      prefix: 'perdure',
    });
    expect(parseQueueUrl('rediss://u:p@cache:6380/0?prefix={east}')).toEqual({
      kind: 'redis',
      url: 'rediss://u:p@cache:6380/0',
      prefix: '{east}',
    });
  });

  it('takes the schema from ?schema=, from search_path, or its default', () => {
    const schemaOf = (url: string) => {
      const address = parseQueueUrl(url);
      return address.kind === 'postgres' ? [address.schema, address.options, address.url] : [];
    };
    expect(schemaOf('postgres://q:p@db/x')).toEqual(['perdure_queue', undefined, 'postgres://q:p@db/x']);
    expect(schemaOf('postgres://q:p@db/x?schema=jobs&sslmode=require')).toEqual([
      'jobs',
      undefined,
      'postgres://q:p@db/x?sslmode=require',
    ]);
    expect(schemaOf('postgresql://db/x?options=-c%20search_path%3Djobs%20-c%20jit%3Doff')).toEqual([
      'jobs',
      '-c jit=off',
      'postgresql://db/x',
    ]);
    expect(schemaOf('postgresql://db/x?options=-csearch_path%3D%22jobs%22,public')).toEqual([
      'jobs',
      undefined,
      'postgresql://db/x',
    ]);
  });

  it.each([
    'maxRetriesPerRequest=20',
    'enableOfflineQueue=true',
    'commandTimeout=1',
    'keyPrefix=other',
    'prefix=p&maxRetriesPerRequest=20',
  ])('Q18, Q20: refuses %s, which would win over the options that the queue needs', (parameters) => {
    expect(() => parseQueueUrl(`redis://h/0?${parameters}`)).toThrow('takes the parameter prefix and no other');
  });

  it.each([
    ['http://h', /starts with redis/],
    ['nonsense:s3cret@', /starts with redis/],
    ['redis://u:s3cret@h:99999', /cannot be read/],
    ['postgres://u:s3cret@h/x?schema=a;drop', /plain identifier/],
    ['redis://:s3cret@h/0?prefix=a:b', /letters/],
    ['redis://h/0?password=s3cret', /no other/],
  ])('refuses %s without repeating a password', (url, message) => {
    expect(() => parseQueueUrl(url)).toThrow(message);
    expect(() => parseQueueUrl(url)).not.toThrow(/s3cret/);
  });
});
