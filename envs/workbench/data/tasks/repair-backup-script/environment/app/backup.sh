#!/bin/bash
from=$1
to=$2
count=0
cd $from
for file in $(find . -name *.txt -o -name *.md); do
  mkdir -p $to/$(dirname $file)
  cp $file $to/$file
  count=$((count + 1))
done
echo $count
