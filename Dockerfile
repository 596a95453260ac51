# Server and local agent in one image. An agent alone: same image, command `node --import tsx packages/agent/src/main.ts`.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY . .
RUN npm ci --no-audit --no-fund && npm run bootstrap && npm prune --omit=dev && npm install --no-save tsx@4

FROM node:24-bookworm-slim
ENV NODE_ENV=production VEDETTE_HOST=0.0.0.0 VEDETTE_DATA_DIR=/data
WORKDIR /app
COPY --from=build --chown=root:root /app /app
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s CMD ["node", "-e", "require('node:http').get('http://127.0.0.1:8080/-/liveness',r=>process.exit(r.statusCode===200?0:1)).on('error',()=>process.exit(1))"]
CMD ["node", "--import", "tsx", "packages/server/src/main.ts"]
