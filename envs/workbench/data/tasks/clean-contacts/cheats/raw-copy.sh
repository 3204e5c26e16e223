#!/bin/bash
cd /app
cp contacts.csv clean.csv
