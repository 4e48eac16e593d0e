import { type CanActivate, SetMetadata, type Type } from '@nestjs/common';

/** Metadata key under which a route or its controller declares who may use it. */
export const ACCESS = 'tidemark:access';

/** The guard that decides, or `public`. */
export type Access = Type<CanActivate> | 'public';

/** Everybody may use the route. */
export const Public = () => SetMetadata<string, Access>(ACCESS, 'public');

/** Lets this guard decide. For decorators such as `@RequireScope`, which routes carry. */
export const GuardedBy = (guard: Type<CanActivate>) => SetMetadata<string, Access>(ACCESS, guard);
