import { type INestApplication, RequestMethod } from '@nestjs/common';
import { INTERCEPTORS_METADATA, METHOD_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';

type Handler = (...args: never[]) => unknown;

/**
 * Removes the interceptor from routes of other methods: it would cost a list a twentieth of its processor time. Call it
 * before the application creates its routes.
 */
export function interceptOnlyPosts(app: INestApplication): void {
  const scanner = app.get(MetadataScanner, { strict: false });
  for (const { metatype } of app.get(DiscoveryService, { strict: false }).getControllers()) {
    const handlers = (metatype as { prototype: Record<string, Handler> }).prototype;
    for (const name of scanner.getAllMethodNames(handlers)) {
      const handler = handlers[name]!;
      const interceptors = Reflect.getMetadata(INTERCEPTORS_METADATA, handler) as unknown[] | undefined;
      if (!interceptors || Reflect.getMetadata(METHOD_METADATA, handler) === RequestMethod.POST) continue;
      const others = interceptors.filter((interceptor) => interceptor !== IdempotencyInterceptor);
      Reflect.defineMetadata(INTERCEPTORS_METADATA, others, handler);
    }
  }
}
