import { type CanActivate, SetMetadata, type Type } from '@nestjs/common';

/** Where a route, or its controller for all of its routes, leaves who may use it. */
export const ACCESS = 'tidemark:access';

/** The guard that decides, or `public`. */
export type Access = Type<CanActivate> | 'public';

/** Everybody may use the route. */
export const Public = () => SetMetadata<string, Access>(ACCESS, 'public');

/** Whom this guard lets in may use the route. For decorators such as `@RequireScope`, which routes carry. */
export const GuardedBy = (guard: Type<CanActivate>) => SetMetadata<string, Access>(ACCESS, guard);
