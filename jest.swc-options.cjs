// How TypeScript sources become JavaScript in tests. swc and not esbuild: TypeORM needs the types of decorated properties.
module.exports.swcOptions = {
  jsc: {
    target: 'es2023',
    keepClassNames: true,
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
  },
  module: { type: 'commonjs' },
  sourceMaps: 'inline',
};
