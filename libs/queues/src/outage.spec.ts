import { Outage } from './outage.js';

function outage() {
  const reports: string[] = [];
  const infos: string[] = [];
  const watched = new Outage({ queue: 'q', during: 'wake' }, (error) => reports.push(error.message), {
    info: (_fields, message) => infos.push(message),
  });
  return { watched, reports, infos };
}

describe('Outage', () => {
  it('reports the first failure of each outage, and its end', () => {
    const { watched, reports, infos } = outage();
    for (const message of ['one', 'two', 'three']) watched.failed(new Error(message));
    watched.recovered();
    watched.recovered();
    watched.failed('four');
    expect([reports, infos]).toEqual([['one', 'four'], ['queue reachable again']]);
  });

  it('is not ended by a success that began before the failure', () => {
    const { watched, reports, infos } = outage();
    const mark = watched.mark();
    watched.failed(new Error('one'));
    watched.recovered(mark);
    watched.failed(new Error('two'));
    watched.recovered(watched.mark());
    expect([reports, infos]).toEqual([['one'], ['queue reachable again']]);
  });

  it('survives a reporter that throws', () => {
    const watched = new Outage({ queue: null, during: 'connect' }, () => {
      throw new Error('the reporter');
    });
    expect(() => watched.failed(new Error('one'))).not.toThrow();
  });
});
