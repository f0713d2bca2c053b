# The Askline server. `docker build -t askline .`, or `docker compose up` with PostgreSQL; see docs/deploy.md.
FROM node:24-slim AS build
WORKDIR /build
COPY . .
RUN npm ci --no-audit --no-fund
RUN npm pack

FROM node:24-slim
USER node
RUN mkdir /home/node/app /home/node/data
WORKDIR /home/node/app
COPY --from=build /build/askline-*.tgz askline.tgz
RUN npm install --omit=dev --no-audit --no-fund ./askline.tgz pg@8.23.1
ENV PATH=/home/node/app/node_modules/.bin:$PATH
ENV ASKLINE_DATA=/home/node/data
ENV ASKLINE_HOST=0.0.0.0
VOLUME /home/node/data
EXPOSE 4780
CMD ["askline", "serve", "--no-person-file"]
