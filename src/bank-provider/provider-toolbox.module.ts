import { HttpModule } from '@nestjs/axios';
import { Global, Module } from '@nestjs/common';
import { ProviderToolbox } from './provider-toolbox.js';

@Global()
@Module({ imports: [HttpModule], providers: [ProviderToolbox], exports: [ProviderToolbox] })
export class ProviderToolboxModule {}
