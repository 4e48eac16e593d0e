import { type CanActivate, type ExecutionContext, Injectable, SetMetadata, type Type } from '@nestjs/common';
import { ModuleRef, Reflector } from '@nestjs/core';

/** Metadata key under which a route or its controller declares who may use it. */
export const ACCESS = 'tidemark:access';

/** The guard that decides, or `public`. */
type Access = Type<CanActivate> | 'public';

/** Everybody may use the route. */
export const Public = () => SetMetadata<string, Access>(ACCESS, 'public');

/** Lets this guard decide. For decorators such as `@RequireScope`, which routes carry. */
export const GuardedBy = (guard: Type<CanActivate>) => SetMetadata<string, Access>(ACCESS, guard);

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
