import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ModuleRef, Reflector } from '@nestjs/core';
import { ACCESS, type Access } from './access.js';

/** The only global guard: delegates to the guard that the route declares, and denies access where it declares none. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly moduleRef: ModuleRef,
  ) {}

  canActivate(context: ExecutionContext): ReturnType<CanActivate['canActivate']> {
    const places = [context.getHandler(), context.getClass()];
    const access = this.reflector.getAllAndOverride<Access | undefined>(ACCESS, places);
    if (access === undefined) return false;
    return access === 'public' || this.moduleRef.get<CanActivate>(access, { strict: false }).canActivate(context);
  }
}
