import type { DatabaseListener } from '../database/listener.js';
import { CallerCache, type KnownCaller } from './caller-cache.js';

const NOW = 1_000_000;

describe('CallerCache', () => {
  let isListening: boolean;
  let subscriber: Parameters<DatabaseListener['subscribe']>[1];
  let cache: CallerCache;

  const known = (userId: string) => ({ caller: { userId }, readAt: NOW }) as KnownCaller;
  const remember = (userId: string, generation = cache.generation) =>
    cache.remember(`key of ${userId}`, known(userId), generation);
  const find = (userId: string, now = NOW) => cache.find(`key of ${userId}`, now)?.caller.userId ?? null;

  beforeEach(() => {
    isListening = true;
    const listener: Pick<DatabaseListener, 'isListening' | 'subscribe'> = {
      get isListening() {
        return isListening;
      },
      subscribe: (_, added) => (subscriber = added),
    };
    cache = new CallerCache(listener as DatabaseListener);
    remember('anna');
    remember('ben');
  });

  it('a caller is cached for ten seconds', () => {
    expect([find('anna', NOW + 10_000), find('anna', NOW + 10_001)]).toEqual(['anna', null]);
  });

  it('a notification removes the callers of its user from the cache, and a gap in the notifications removes all', () => {
    subscriber.onMessage('anna');
    expect([find('anna'), find('ben')]).toEqual([null, 'ben']);
    subscriber.onGap!();
    expect(find('ben')).toBeNull();
  });

  it.each([
    ['a notification about the user', () => subscriber.onMessage('carla')],
    ['a revocation in this process', () => cache.forget('carla')],
    ['a gap in the notifications', () => subscriber.onGap!()],
  ])('a caller that was read before %s is not cached', (_, comes) => {
    const { generation } = cache;
    comes();
    remember('carla', generation);
    expect(find('carla')).toBeNull();
    remember('carla');
    expect(find('carla')).toBe('carla');
  });

  it('no caller is cached or found while no notifications arrive', () => {
    isListening = false;
    remember('carla');
    expect(find('anna')).toBeNull();
    isListening = true;
    expect(find('carla')).toBeNull();
  });
});
